"""The page RoPE: how do rotary positions work?"""
