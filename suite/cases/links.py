"""Browsers, URLs and webhooks (rulings 108 to 110, 113)."""

import base64
import gzip
import hashlib
import hmac
import json
import socket
import urllib.parse

from world import Web, eventually


def browsers(report, server):
    """A web page may use the interface and its links."""
    asks = {"Origin": "https://app.test", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "range, x-any, user-agent"}
    inbox = server.inbox()
    sent = inbox.send(text="x", attachments=[{"filename": "a.txt", "content": "eA=="}])["message_id"]
    file = inbox.get(sent)["attachments"][0]["attachment_id"]
    raw = server.http("GET", f"{inbox.message(sent)}/raw")["download_url"]
    link = server.http("GET", f"{inbox.message(sent)}/attachments/{file}")["download_url"]
    for name, url in report.some({"a link to a file": link, "a link to a raw message": raw, "/v0/inboxes": "/v0/inboxes"}.items()):
        allowed = server.http("OPTIONS", url, headers=asks, key=None)
        headers = (allowed.headers.get("Access-Control-Allow-Headers") or "").lower()
        report.check(f"{name}: preflight", allowed.status in (200, 204) and all(word in headers for word in ("range", "x-any", "user-agent")), headers)
        answer = server.http("GET", url, headers={"Origin": "https://app.test"}, key=url.startswith("/v0"))
        report.check(f"{name}: the answer", answer.headers.get("Access-Control-Allow-Origin"), answer.headers)
    head = server.http("HEAD", raw, key=None)
    report.check("HEAD", head.status == 200 and head.body == b"" and int(head.headers["Content-Length"]) > 0, head)


def strangers(report, server):
    """Other hosts and pages get nothing of a developer's server."""
    get = lambda path, *lines: server.raw_http("\r\n".join([f"GET {path} HTTP/1.1", *lines, "Connection: close", "", ""])).split("\r\n")[0]
    port = urllib.parse.urlsplit(server.url).port
    report.check("another Host", " 421 " in get("/v0/inboxes", "Host: rebound.test"), get("/v0/inboxes", "Host: rebound.test"))
    report.check("localhost", " 200 " in get("/healthz", f"Host: localhost:{port}"))
    report.check("no Host in HTTP/1.0", " 200 " in server.raw_http("GET /healthz HTTP/1.0\r\n\r\n").split("\r\n")[0])
    foreign = server.http("GET", "/sandbox/messages", headers={"Origin": "https://evil.test"}, key=None)
    report.check("a foreign page at the sandbox", foreign.status == 403, foreign)
    with socket.create_connection(("127.0.0.1", server.smtp), 10) as connection:
        connection.recv(1000)
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n\r\nMAIL FROM:<a@b.test>\r\n")
        connection.settimeout(10)
        said = b""
        try:
            while part := connection.recv(1000):
                said += part
        except ConnectionError:
            pass
        report.check("HTTP at the port of mail ends the session", b"250" not in said, said)
    report.check("a socket without Upgrade is 426", " 426 " in get("/v0", f"Host: localhost:{port}", f"Authorization: Bearer {server.key}",
                                                                  "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="))


def urls(report, server):
    """URLs are asked for in one form, and only what came whole is a file."""
    inbox = server.inbox()
    attach = lambda url: inbox.send(attachments=[{"url": url}])

    def serve(request):
        if request.path == "/packed":
            return 200, {"Content-Encoding": "gzip", "Content-Disposition": 'attachment; filename="p.txt"'}, gzip.compress(b"words")
        if request.path == "/br":
            return 200, {"Content-Encoding": "br"}, b"x"
        if request.path == "/part":
            return 206, {}, b"x"
        if request.path == "/moved":
            return 302, {"Location": "../a/./b.txt"}, b""
        return 200, {"Content-Type": "text/plain"}, b"x"

    with Web(serve) as web:
        forms = {"/größe.txt": "/gr%C3%B6%C3%9Fe.txt", "/a/../b%7Ec.txt": "/b%7Ec.txt", "/x?q=ü": "/x?q=%C3%BC"}
        for path, right in report.some(forms.items()):
            answer = attach(web.url + path)
            report.check(path, answer.status == 200 and web.requests[-1].path == right, f"{answer} {web.requests[-1].path}")
        report.check("no coding is asked for", web.requests[-1].headers["Accept-Encoding"] == "identity", web.requests[-1].headers)
        answer = attach(web.url + "/moved")
        report.check("a redirect", answer.status == 200 and web.requests[-1].path == "/a/b.txt", web.requests[-1].path)
        files = inbox.get(attach(web.url + "/packed")["message_id"])["attachments"]
        report.check("what was packed is unpacked and named", [(file["filename"], file["size"]) for file in files] == [("p.txt", 5)], files)
        for path in report.some(["/part", "/br"]):
            refused = attach(web.url + path)
            report.check(f"{path} is no file", refused.status == 403, refused)
    for url in report.some(["http://exa mple.test/", "http://a..test/\u0000", "//x.test/"]):
        answer = server.http("POST", "/v0/webhooks", {"url": url, "event_types": ["message.sent"]})
        report.check(f"{url!r} is refused at once", answer.status == 400, answer)


def webhooks(report, server):
    """The body of a webhook is what a parser and a writer of JSON make of it."""
    inbox = server.inbox()
    kinds = ["message.received", "message.sent", "message.delivered"]
    with Web() as web:
        hook = server.http("POST", "/v0/webhooks", {"url": web.url, "event_types": kinds, "inbox_ids": [inbox.address]})
        report.check("made", hook.status == 200, hook)
        inbox.send(to=[inbox.address, "jo@reader.test"], subject="</a> ü \u2028 \U0001F680", text="a\tb \"c\" \\ /", html="<p>1</p>")
        inbox.mail("Subject: In\n")
        found = eventually(lambda: len({json.loads(each.content)["event_type"] for each in web.requests}) == len(kinds))
        report.check("all kinds came", found, [json.loads(each.content)["event_type"] for each in web.requests])
        for request in web.requests:
            body = request.content.decode()
            compact = json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":"))
            kind = json.loads(body)["event_type"]
            report.check(f"{kind} is compact", compact == body, body[:300])
            secret = base64.b64decode(hook["secret"].removeprefix("whsec_"))
            signed = f"{request.headers['svix-id']}.{request.headers['svix-timestamp']}.{compact}".encode()
            made = base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
            report.check(f"{kind} is signed as compact JSON", f"v1,{made}" in request.headers["svix-signature"], request.headers)
        server.http("DELETE", f"/v0/webhooks/{hook['webhook_id']}")


CASES = [browsers, strangers, urls, webhooks]
