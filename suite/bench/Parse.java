package dev.inboxd.mailbox.storage;

import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.spam.FeatureCounts;
import dev.inboxd.mail.spam.FeatureWeights;
import dev.inboxd.mail.spam.SpamAnalysis;
import dev.inboxd.mailbox.content.ReadableContent;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** Reads a reply of 4 KB with text and HTML again and again on one thread; prints how many times a second. */
final class Parse {
    private static final byte[] REPLY = reply().getBytes(StandardCharsets.UTF_8);

    private Parse() {}

    /** Arguments: seconds for each line that is printed. */
    public static void main(String[] arguments) {
        long seconds = Long.parseLong(arguments[0]);
        print("parsed, text and HTML extracted", seconds, raw -> {
            ReadableContent shown = shown(raw);
            return shown.extracted().hashCode();
        });
        print(
                "parsed, text extracted, as when it comes in",
                seconds,
                raw -> String.valueOf(MessageSummaries.preview(shown(raw))).length());
        print("parsed", seconds, raw -> shown(raw).hashCode());
        ParsedMessage parsed = MessageParser.parse(new ByteArrayInputStream(REPLY));
        SpamAnalysis.Context came = new SpamAnalysis.Context(Instant.EPOCH, false, false);
        FeatureCounts counts = new FeatureCounts();
        for (int i = 0; i < 2 * FeatureWeights.LEAST; i++) {
            counts.learn(SpamAnalysis.of(parsed, came).features(), i % 2 == 0);
        }
        FeatureWeights weights = FeatureWeights.of(counts).orElseThrow();
        print("looked at for spam, when it is parsed", seconds, _ ->
                (long) weights.evidence(SpamAnalysis.of(parsed, came).features()));
    }

    private static ReadableContent shown(byte[] raw) {
        return ReadableContent.of(MessageParser.parse(new ByteArrayInputStream(raw)));
    }

    private static void print(String name, long seconds, ToLongFunction<byte[]> work) {
        run(work, seconds); // until it is compiled
        System.out.println(name + " " + run(work, seconds));
    }

    private static long run(ToLongFunction<byte[]> work, long seconds) {
        long start = System.nanoTime();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        long count = 0;
        long sum = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 100; i++) {
                sum += work.applyAsLong(REPLY);
            }
            count += 100;
        }
        if (sum == 42) {
            System.err.println(sum); // so that the work is not taken away
        }
        return count * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start);
    }

    private static String reply() {
        String head = """
                Received: from out.example.org (out.example.org [192.0.2.7]) by mx.example.net with ESMTPS id 4X
                 for <agent@example.net>; Mon, 5 May 2025 10:02:13 +0000
                DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=s1; h=from:to:subject;
                 bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=Ym9ndXMgc2lnbmF0dXJlIG9mIGEgYmVuY2htYXJr
                MIME-Version: 1.0
                References: <1@example.net> <2@example.org>
                In-Reply-To: <2@example.org>
                From: =?UTF-8?Q?J=C3=B6rg_Gro=C3=9F?= <joerg@example.org>
                Date: Mon, 5 May 2025 12:02:11 +0200
                Message-ID: <CAF+x=yz@mail.example.org>
                Subject: =?UTF-8?Q?Re=3A_Gr=C3=B6=C3=9Fe?= of the order
                To: Agent <agent@example.net>
                Content-Type: multipart/alternative; boundary="000000000000a1b2c3"

                --000000000000a1b2c3
                Content-Type: text/plain; charset="UTF-8"
                Content-Transfer-Encoding: quoted-printable

                """;
        StringBuilder text = new StringBuilder("Three hundred, please, and by Thursday.\n\nBest,\nJ=C3=B6rg\n\n"
                + "On Mon, May 5, 2025 at 10:02 AM Agent <agent@example.net> wrote:\n\n");
        StringBuilder html =
                new StringBuilder("<div dir=3D\"ltr\">Three hundred, <b>please</b>, and by Thursday.<div><br></div>"
                        + "<div>Best,</div><div>J=C3=B6rg</div></div><br>\n"
                        + "<div class=3D\"gmail_quote\"><div dir=3D\"ltr\" class=3D\"gmail_attr\">"
                        + "On Mon, May 5, 2025 at 10:02 AM Agent wrote:<br></div>\n"
                        + "<blockquote class=3D\"gmail_quote\">");
        for (int i = 0; text.length() + html.length() + head.length() < 3_900; i++) {
            text.append("> Line ").append(i).append(" of what was written before, as long as such are.\n");
            html.append("<div>Line ").append(i).append(" of what was <i>written</i> before.</div>\n");
        }
        return (head + text + "\n--000000000000a1b2c3\nContent-Type: text/html; charset=\"UTF-8\"\n"
                        + "Content-Transfer-Encoding: quoted-printable\n\n" + html
                        + "</blockquote></div>\n--000000000000a1b2c3--\n")
                .replace("\n", "\r\n");
    }
}
