package dev.inboxd.fuzz;

import dev.inboxd.net.UrlFuzz;
import dev.inboxd.outbound.OutboundFuzz;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Every parser that reads what others wrote, with an input or a few that it understands. */
@SuppressWarnings("ImmutableEnumChecker") // methods without state
enum FuzzCorpus {
    ADDRESS(
            FuzzTargets::address,
            "jo@example.org",
            "\"a b\\\"c\"@[192.0.2.1]",
            "Jo <jö@exämple.test>",
            "a@xn--bcher-kva.test"),
    ADDRESS_FIELD(
            FuzzTargets::addressField,
            "Jo (c) <jo@b.test>, \"x, y\" <z@[IPv6:::1]>; friends: a@b, <@r:c@d>;",
            "=?utf-8?q?J=C3=B6?= <a@b>"),
    ENCODED_WORDS(
            FuzzTargets::encodedWords,
            "=?utf-8?B?w7bDpA==?= =?iso-2022-jp?b?GyRCJCIbKEI=?=",
            "=?utf-7?q?+AOQ-?= =?utf-8?q?=C3?= =?utf-8?q?=A4?=",
            "=?gb2312?B?xOO6ww==?= \u00e4"),
    MESSAGE(
            FuzzTargets::message,
            """
            From: a@b.test
            Subject: =?utf-8?q?x?=
            Content-Type: multipart/mixed; boundary="b"; x*0*=utf-8''%41; x*1=b

            --b
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            =C3=A4 =
            --b
            Content-Type: message/rfc822

            Subject: y

            --b
            Content-Type: application/pdf; name="a.pdf"
            Content-Transfer-Encoding: base64

            JVBERi0=
            --b--
            """,
            "Content-Type: text/html; charset=utf-16\n\n\0a",
            "Content-Type: multipart/digest; boundary=a\n\n--a\n\n\n--a--"),
    REPORT(
            FuzzTargets::report,
            "550 5.1.1 <jo@b.test> No such user" + "\u001e" + "NOTIFY=SUCCESS,DELAY ORCPT=rfc822;jo+40b.test"
                    + "\u001e" + """
            From: MAILER-DAEMON@b.test
            Content-Type: multipart/report; report-type=delivery-status; boundary="b"

            --b

            <jo@b.test>: 550 5.1.1 no such user
            --b
            Content-Type: message/delivery-status

            Reporting-MTA: dns; b.test

            Original-Recipient: rfc822;jo@b.test
            Final-Recipient: rfc822; jo@b.test
            Action: failed
            Status: 5.1.1
            Diagnostic-Code: smtp; 550 5.1.1
              no such user
            --b
            Content-Type: message/rfc822

            Return-Path: <bounce+x@mail.test>
            Message-ID: <x@mail.test>

            --b--
            """.replace("\n", "\r\n"),
            "x" + "\u001e" + "ORCPT=utf-8;j\u00f6@b.test" + "\u001e" + "From: x@b.test\r\nSubject: complaint\r\n"
                    + "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
                    + "Content-Type: message/feedback-report\r\n\r\n"
                    + "Feedback-Type: abuse\r\nOriginal-Rcpt-To: jo@b.test\r\n--b--",
            "\u001e\u001eFrom: MAILER-DAEMON@b.test\r\n"
                    + "Subject: failure notice\r\n\r\n<jo@b.test>:\r\n550 No such user\r\n\r\n"
                    + "--- Below this line is a copy of the"
                    + " message.\r\n\r\nReturn-Path: <a@b.test>\r\nMessage-ID: <x@b.test>\r\n"),
    SUBMITTED(
            FuzzTargets::submitted,
            "=?utf-8?q?J=C3=B6?= \"a, b\" <jo@b.test>" + "\u001e"
                    + "From: jo@b.test\r\nSubject: a\r\n b\r\nX : y\r\n\r\nx",
            "ceo@victim.test <jo@b.test>" + "\u001e" + "From ceo@victim.test\r\nFrom: jo@b.test\r\n \r\n",
            "jo@b\u0259" + "\u001e"),
    CONVERTED(
            SevenBitFuzz::check,
            """
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary="b"
            Content-Transfer-Encoding: 8bit

            --b
            Content-Type: text/html; charset=utf-8

            <p>ö --b\s
            --b
            Content-Type: message/rfc822

            Content-Type: multipart/digest; boundary=c

            --c

            Subject: y

            \u00fc =
            --c--
            --b--
            """.replace("\n", "\r\n"),
            "A: 1\r\n\r\nö\r\n.\r\n",
            "Content-Type: multipart/signed; boundary=a\r\n\r\n--a\r\n\r\nö"),
    RETURN_PATH(FuzzTargets::returnPath, "bounce+1z141z4abcdefghijklmnopqrstuvwxyz0123456789", "bounce+"),
    POLICY(
            in -> OutboundFuzz.policy(in.text(), in.text()),
            "v=STSv1; id=20261122T1;" + "\u001e"
                    + "version: STSv1\r\nmode: enforce\r\nmx: mx.b.test\r\nmx: *.b.test\r\nmax_age: 604800\r\n"),
    REPLIES(
            in -> OutboundFuzz.replies(in.rest()),
            "250-mx.b.test\r\n250-SIZE 1000\r\n250 DSN\r\n550 5.1.1 no\r\n",
            "421\r\n"),
    SPAM(
            FuzzTargets::spam,
            "From: \"x@y.z\" <a@b.test>\nSubject: RE: X\nContent-Type: text/html\n\n"
                    + "<a href='http://1.2.3.4/'>www.b.test</a><!-- --><input type=password>&#65;<style>"),
    SPF(
            FuzzTargets::spf,
            "v=spf1 a:%{d2r-.}.x mx/24//64 include:y.test exists:%{ir}.%{v}.%{p} redirect=%{o} exp=e.test" + "\u001e"
                    + "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ?ptr ~all" + "\u001e" + "a-b+c",
            "v=spf1 exists:" + "%{p}".repeat(100) + ".x -all" + "\u001e" + "\u001e"),
    SIGNATURES(
            FuzzTargets::signatures,
            "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=" + "\u001e"
                    + "v=DKIM1; k=rsa; h=sha256; p=MA==" + "\u001e"
                    + "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/simple; d=a.test; s=s; h=from:to;"
                    + " l=3; t=1; x=9; bh=AAAA; b=AAAA\r\n"
                    + "ARC-Seal: i=1; a=rsa-sha256; cv=none; d=a.test; s=s; b=AAAA\r\n"
                    + "ARC-Message-Signature: i=1; a=rsa-sha256; d=a; s=s;"
                    + " h=from; bh=AAAA; b=AAAA\r\nARC-Authentication-Results: i=1; x\r\nFrom: a@b\r\n\r\nx \r\n\r\n"),
    DMARC(
            FuzzTargets::dmarc,
            "v=DMARC1; p=reject; sp=none; np=quarantine; adkim=s; aspf=r; t=y; psd=n; rua=mailto:a@b!10m" + "\u001e"
                    + "v=DMARC1; p=none" + "\u001e" + "a.b.c"),
    RESULTS(
            FuzzTargets::results,
            "mx.test; spf=pass smtp.mailfrom=a.test; dkim=fail (x) header.d=b.test header.s=s header.a=rsa-sha256"
                    + " header.b=AAAA; dmarc=pass header.from=a.test policy.dmarc=none; arc=none",
            " other.test\r\nauthentication-results :\r\n (c) mx.test\r\nX: y\r\n"
                    + "Authentication-Results: \"mx.test\"\r\n\r\nbody"),
    HTML(
            FuzzTargets::html,
            "<table><tr><td>a<td>b<ul><li>c</ul><pre>x\n y</pre><p hidden>&nbsp;&#x1F600;<svg><style></svg>"),
    REPLY(
            FuzzTargets::reply,
            "Yes.\n\nOn Mon, 5 May 2025, Jo <jo@b.test> wrote:\n> x\n>> y\n-- \nJo\nSent from my phone" + "\u001e"
                    + "<div>Yes</div><div class=\"gmail_quote\">Am 5. Mai schrieb Jo:<blockquote>x</blockquote></div>"),
    MARKDOWN(
            MarkdownFuzz::check,
            "<h1>a</h1><p>b <b>c*</b><i>_d_</i><s>e</s> 1. f<br>- g<br># h<ul><li>[x] i<li>j</ul><ol start=9><li>k</ol>"
                    + "<pre>```\n l</pre><code>m`</code>&lt;n&gt; &amp;amp; ![o](p) [q]: r" + "\u001e"
                    + "* a\n# b\n[c]: d\n> e",
            "<table><tr><th>a|b</th><td>c</td></tr><tr><td>d<br>e</td></tr></table><a href='https://a.test/x)(y'>f]</a>"
                    + "<a href=//b.test><img alt=g src=cid:a></a><blockquote type=cite>h</blockquote>i" + "\u001e"
                    + "On 5 May 2025, Jo <jo@b.test> wrote:\n> x\n\ny",
            "<style>.a{display:none}</style><p class=a>b</p><div>c<p>d</div><p>\u202Ee\uFE0F\u200D" + "\u001e"
                    + "    a\n    b\n\n1) c\n=== d\n---\n~~~ e\n`f` &copy; \\ g"),
    DIALOGUE(
            FuzzTargets::dialogue,
            "RCPT TO:<@a,@b:\"x\\ y\"@[IPv6:::1]>" + "\u001e" + "a\r\n..b\r\n.\r\nQUIT",
            "MAIL FROM:<jö@b.test> SIZE=1 BODY=8BITMIME SMTPUTF8" + "\u001e" + ".\r\n"),
    JSON(
            FuzzTargets::json,
            "{\"a\":[1,-2.5e3,true,null,\"\\u00e4\\ud83d\\ude00\"],\"b\":{}}",
            "[9223372036854775807,1e999]"),
    CURSOR(FuzzTargets::cursor, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
    CALENDAR(
            CalendarFuzz::check,
            """
            BEGIN:VCALENDAR
            METHOD:REQUEST
            BEGIN:VTIMEZONE
            TZID:Mine
            X-LIC-LOCATION:Europe/Rome
            END:VTIMEZONE
            BEGIN:VEVENT
            UID:1@b.test
            SEQUENCE:1
            DTSTAMP:20261001T163000Z
            DTSTART;TZID=W. Europe Standard Time:20261015T140000
            DTEND:20261025T003000Z
            RRULE:FREQ=WEEKLY;UNTIL=20270101;BYDAY=MO, TH
            EXDATE;VALUE=DATE:20261019,20261022
            EXDATE:20261026T130000Z
            RDATE;VALUE=PERIOD:20261025T003000Z/PT1H,20261017T120000Z/20261017T130000Z
            SUMMARY;LANGUAGE=de:a\\, b\\n c
            DESCRIPTION:x
             y
            ORGANIZER;CN="A ^'B^'";SENT-BY="mailto:c@b.test":MAILTO:%6Ao@b.test
            ATTENDEE;ROLE=OPT-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:a@b.test
            BEGIN:VALARM
            TRIGGER:-PT5M
            END:VALARM
            END:VEVENT
            BEGIN:VEVENT
            UID:1@b.test
            RECURRENCE-ID;TZID=/x.test/1/Asia/Tokyo:20261105T220000
            DTSTART;VALUE=DATE:20261106
            DURATION:P2D
            STATUS:CANCELLED
            COMMENT:ill
            END:VEVENT
            END:VCALENDAR
            """,
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=Mine:20261015T140000\nDURATION:P1DT2H\nEND:VEVENT\n"
                    + "BEGIN:VTIMEZONE\nTZID:Mine\nX-LIC-LOCATION:Australia/Lord_Howe\nEND:VTIMEZONE\nEND:VCALENDAR"),
    URL(
            in -> UrlFuzz.check(in.text()),
            "https://1.2.3.4.5/",
            "https://a.8b?/c",
            "https://user@0x7f.1:443/a?b#c",
            "https://[::ffff:10.0.0.1]/",
            "https://2130706433/",
            "https://bücher.test.:8443/%41/../x");

    private final Consumer<FuzzInput> body;
    private final List<String> seeds;

    FuzzCorpus(Consumer<FuzzInput> body, String... seeds) {
        this.body = body;
        this.seeds = List.of(seeds);
    }

    /** Inputs to begin with. */
    List<byte[]> seeds() {
        return seeds.stream()
                .map(seed ->
                        (name().equals("MESSAGE") ? seed.replace("\n", "\r\n") : seed).getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** Does with an input what the service would. */
    void run(byte[] input) {
        body.accept(new FuzzInput(input));
    }
}
