"""Whose network an address on the internet belongs to, as far as the address itself says it."""

from ipaddress import ip_address, ip_network


def network_of(address: str) -> str:
    """The address itself, or of IPv6 the part that one household or company has for itself. Anything else stays."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    found = getattr(found, "ipv4_mapped", None) or found
    return str(found) if found.version == 4 else str(ip_network((found, 64), strict=False))
