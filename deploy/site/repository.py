"""Makes the site of the repository's own files.

MkDocs wants all pages in one folder, in the dialect of Python-Markdown. Ours are where GitHub and
the bridge's page show them, in CommonMark. So this hook

- adds README.md, ARCHITECTURE.md and the others beside docs, and the files that pages link to;
- rewrites links between them, and leaves the plain text of a link to a folder;
- parses pages as CommonMark;
- writes a page at each old path that leads to the new one, with the section that was asked for.
"""

import os
import posixpath
import re
from pathlib import Path
from xml.etree.ElementTree import ElementTree, fromstring

from markdown.extensions import Extension
from markdown.util import Registry
from markdown_it import MarkdownIt
from mkdocs.structure.files import File

CHECKOUT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmark/RESULTS.md"]
TABLES = "benchmark/results"
SEARCH = "iframe-worker.js"

LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
FENCE = re.compile(r"^( *)(```+|~~~+)(.*)$")
COMMENT = re.compile(r"(?s)<!--.*?-->")


def pages():
    """Returns the paths of all pages, seen from the checkout."""
    docs = [str(each.relative_to(CHECKOUT)) for each in (CHECKOUT / "docs").rglob("*.md")]
    tables = [str(each.relative_to(CHECKOUT)) for each in (CHECKOUT / TABLES).rglob("*.md")]
    return sorted(docs) + PAGES + sorted(tables)


def place(path):
    """Returns where the site has a file of the checkout."""
    if path == "README.md":
        return "index.md"
    return path.removeprefix("docs/")


def origin(src_uri):
    """Returns the file of the checkout that the site has here."""
    if src_uri == "index.md":
        return "README.md"
    return src_uri if (CHECKOUT / src_uri).exists() and not (CHECKOUT / "docs" / src_uri).exists() else "docs/" + src_uri


def target(page, link):
    """Returns the file of the checkout that a link of a page leads to, and the section."""
    path, _, section = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page, section


def prose(text):
    """Yields each line, and whether it is outside of blocks of code with a fence."""
    fence = None
    for line in text.split("\n"):
        match = FENCE.match(line)
        if fence is None and match:
            fence = match[2]
            yield line, False
        elif fence is not None:
            if match and match[2].startswith(fence) and not match[3].strip():
                fence = None
            yield line, False
        else:
            yield line, True


class CommonMark(Extension):
    """Replaces Python-Markdown's parser. Its table of contents and MkDocs' check of links stay."""

    def extendMarkdown(self, md):
        commonmark = MarkdownIt("commonmark", {"html": False, "xhtmlOut": True}).enable("table")
        md.preprocessors = Registry()
        md.treeprocessors.deregister("inline")
        md.parser.parseDocument = lambda lines: ElementTree(
            fromstring(f"<div>{commonmark.render(COMMENT.sub('', chr(10).join(lines)))}</div>")
        )


def with_links(text, page):
    """Rewrites the links of a page for the site."""
    here = posixpath.dirname(place(page))
    known = set(pages())

    def rewritten(match):
        label, link = match[1], match[2]
        if "://" in link or link.startswith(("#", "mailto:")):
            return match[0]
        path, section = target(page, link)
        if path + "/README.md" in known:
            path += "/README.md"
        file = CHECKOUT / path
        if not file.exists():
            return match[0]
        if file.is_dir() or (path.endswith(".md") and path not in known):
            return label[1:-1]
        return f"{label}({posixpath.relpath(place(path), here or '.')}{'#' + section if section else ''})"

    lines = []
    for line, outside in prose(text):
        lines.append(line if outside else line.replace("](", "]\0("))
    return LINK.sub(rewritten, "\n".join(lines)).replace("]\0(", "](")


def on_config(config):
    repository = os.environ.get("DUPLOG_REPOSITORY", "")
    if repository:
        config.repo_url = repository
        config.repo_name = "Source"
    config.extra["generator"] = False
    tables = sorted(each for each in pages() if each.startswith(TABLES))
    config.markdown_extensions.append(CommonMark())
    config.nav.append({"Tables of measurements": [place(each) for each in tables]})
    return config


def on_files(files, config):
    here = {each.src_uri for each in files}
    linked = set()
    for page in pages():
        text = (CHECKOUT / page).read_text(encoding="utf-8")
        linked.update(target(page, match[2])[0] for match in LINK.finditer(text) if "://" not in match[2])
    for path in pages() + sorted(linked):
        file = CHECKOUT / path
        if place(path) in here or not file.is_file() or (path.endswith(".md") and path not in pages()):
            continue
        here.add(place(path))
        if path == "README.md" or path.endswith(".md"):
            files.append(File.generated(config, place(path), content=file.read_text(encoding="utf-8")))
        else:
            files.append(File.generated(config, place(path), abs_src_path=str(file)))
    files.append(File.generated(config, SEARCH, abs_src_path=str(CHECKOUT / "deploy/site" / SEARCH)))
    return files


def on_page_markdown(markdown, page, config, files):
    return with_links(markdown, origin(page.file.src_uri))


def on_pre_page(page, config, files):
    page.edit_url = f"{config.repo_url.rstrip('/')}/edit/HEAD/{origin(page.file.src_uri)}" if config.repo_url else None
    return page


def on_post_build(config):
    for old, new in config.extra["moved"].items():
        page = Path(config.site_dir, old + ".html")
        if page.exists() or not Path(config.site_dir, new + ".html").exists():
            raise SystemExit(f"moved: {old} is a page, or {new} is none")
        page.write_text(
            f'<!doctype html><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="1; url={new}.html">'
            f'<script>location.replace("{new}.html" + location.hash)</script><p>Moved to <a href="{new}.html">{new}</a>.</p>\n',
            encoding="utf-8",
        )
