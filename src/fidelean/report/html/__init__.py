"""Results → one self-contained page that asks nothing of the network and holds no script (``design/html-report.md``)."""
