# Two stages: the first has pip's caches and compilers' leavings, the second only what runs.
FROM python:3.11-slim AS build
WORKDIR /build
COPY requirements.txt .
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN python -m venv /opt/venv \
 && /opt/venv/bin/pip install --no-cache-dir --index-url ${TORCH_INDEX} torch==2.13.0 \
 && /opt/venv/bin/pip install --no-cache-dir -r requirements.txt

FROM python:3.11-slim
WORKDIR /app
COPY --from=build /opt/venv /opt/venv
COPY app.py ./
COPY .streamlit .streamlit
COPY embedviz embedviz
COPY pages pages
COPY data data
# Compiled here, since the running container may not write. An empty cache folder keeps tiktoken from
# writing copies of the tables that lie in data/ already (its name is no secret, whatever a checker thinks of
# TOKEN in it). Hosts that choose the port set PORT.
# hadolint ignore=DL3064
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TIKTOKEN_CACHE_DIR="" HOME=/tmp PORT=8501
RUN python -m compileall -q app.py embedviz pages && useradd --no-log-init --uid 1000 embedviz
# The model all-MiniLM-L6-v2, 91 MB; `--build-arg MINILM=0` leaves it out.
ENV EMBEDVIZ_MODELS=/opt/models
ARG MINILM=1
RUN if [ "$MINILM" != 0 ]; then python -m embedviz.models.minilm; fi
# Visitors choose from the app's own list of models; `--env EMBEDVIZ_SOURCES=any` lets them name any model of the Hub.
ENV EMBEDVIZ_SOURCES=list
# The user that Hugging Face Spaces runs containers as.
USER 1000
EXPOSE 8501
# Docker may hand its containers a proxy in their environment, which would be asked for this machine too.
HEALTHCHECK --interval=10s --start-period=60s \
  CMD ["python", "-c", "import os, urllib.request as r; r.build_opener(r.ProxyHandler({})).open(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz')"]
# No access log: a visitor's texts stand in the addresses.
CMD ["sh", "-c", "exec uvicorn app:app --host 0.0.0.0 --port \"$PORT\" --no-access-log --ws-per-message-deflate false"]
