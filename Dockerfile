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
# writing copies of the tables that lie in data/ already.
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TIKTOKEN_CACHE_DIR="" HOME=/tmp
RUN python -m compileall -q app.py embedviz pages && useradd --system --uid 10001 embedviz
USER 10001
EXPOSE 8501
HEALTHCHECK --interval=10s --start-period=30s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/healthz')"]
CMD ["uvicorn", "app:app", "--host", "0.0.0.0", "--port", "8501"]
