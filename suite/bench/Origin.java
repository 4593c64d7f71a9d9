package dev.inboxd.inbound.authentication;

import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.mail.dkim.SigningStream;
import dev.inboxd.net.MailDns;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/**
 * Checks where a message of 4 KB is from, again and again on one thread, with answers of the DNS in the cache; prints
 * microseconds for each, of the clock and of the processor.
 */
final class Origin {
    private static final InstantSource CLOCK = () -> Instant.parse("2026-11-05T09:08:07Z");

    private final Map<String, String> zone = new HashMap<>();
    private final MessageAuthentication authentication;

    private Origin() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> serve(socket));
        authentication = new MessageAuthentication(
                new MailDns(
                        List.of(new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort())),
                        Duration.ofSeconds(5)),
                new MessageAuthentication.Policy(
                        "mx.inboxd.example", true, _ -> false, LoopbackTrust.NONE, LookupFaults.NONE),
                CLOCK);
    }

    /** Arguments: seconds for each line that is printed. */
    public static void main(String[] arguments) throws IOException {
        long seconds = Long.parseLong(arguments[0]);
        DkimKey rsa = DkimKey.generate();
        DkimKey ed25519 = DkimKey.generateEd25519();
        Origin origin = new Origin();
        origin.zone.put("news.example.org.", "v=spf1 include:_spf.sender.example a:out.example.org ~all");
        origin.zone.put(
                "_spf.sender.example.",
                "v=spf1 ip4:198.51.100.0/24 ip4:203.0.113.0/24 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all");
        origin.zone.put("_dmarc.example.org.", "v=DMARC1; p=reject; sp=quarantine; rua=mailto:d@example.org");
        origin.zone.put("r._domainkey.example.org.", rsa.dnsRecord());
        origin.zone.put("e._domainkey.example.org.", ed25519.dnsRecord());
        byte[] plain = message();
        byte[] signed = signed(plain, "r", rsa);
        origin.print("SPF, DKIM with RSA and DMARC", seconds, signed);
        origin.print("SPF, DKIM with RSA and Ed25519, and DMARC", seconds, signed(signed, "e", ed25519));
        origin.print("SPF and DMARC, nothing signed", seconds, plain);
    }

    private void print(String name, long seconds, byte[] message) throws IOException {
        if (!judge(message).labels().isEmpty()) {
            throw new IllegalStateException("Not authenticated: " + judge(message));
        }
        run(message, seconds); // until it is compiled
        long[] micros = run(message, seconds);
        System.out.println(name + " " + micros[0] + " " + micros[1]);
    }

    private long[] run(byte[] message, long seconds) throws IOException {
        long start = System.nanoTime();
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        long count = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 20; i++) {
                judge(message);
            }
            count += 20;
        }
        return new long[] {
            (System.nanoTime() - start) / count / 1_000,
            (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / count / 1_000
        };
    }

    private AuthenticationVerdict judge(byte[] message) throws IOException {
        return authentication.check(
                new MessageAuthentication.Origin(
                        InetAddress.ofLiteral("192.0.2.7"), "out.example.org", "bounce+4X@news.example.org", Set.of()),
                new ByteArrayInputStream(message),
                null);
    }

    private static byte[] signed(byte[] message, String selector, DkimKey key) {
        SigningStream signing = new DkimSigner("example.org", selector, key).open();
        signing.write(message, 0, message.length);
        byte[] field = signing.signature(CLOCK.instant());
        byte[] whole = Arrays.copyOf(field, field.length + message.length);
        System.arraycopy(message, 0, whole, field.length, message.length);
        return whole;
    }

    private static byte[] message() {
        StringBuilder text = new StringBuilder("""
                Received: from app.example.org (app.example.org [192.0.2.9]) by out.example.org with ESMTPS id 4X
                 for <agent@example.net>; Mon, 5 May 2025 10:02:13 +0000
                MIME-Version: 1.0
                References: <1@example.net> <2@example.org>
                In-Reply-To: <2@example.org>
                From: =?UTF-8?Q?J=C3=B6rg_Gro=C3=9F?= <joerg@news.example.org>
                Date: Mon, 5 May 2025 12:02:11 +0200
                Message-ID: <CAF+x=yz@mail.example.org>
                Subject: Re: Three hundred of them
                To: Agent <agent@example.net>
                Content-Type: text/plain; charset="UTF-8"

                """);
        while (text.length() < 4_000) {
            text.append("A line of what somebody wrote, as long as such lines are.\n");
        }
        return text.toString().replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private void serve(DatagramSocket socket) {
        byte[] buffer = new byte[4_096];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                byte[] reply = reply(new Message(Arrays.copyOf(buffer, packet.getLength())))
                        .toWire(4_096);
                socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private Message reply(Message query) {
        Record question = query.getQuestion();
        Message reply = new Message(query.getHeader().getID());
        reply.getHeader().setFlag(Flags.QR);
        reply.addRecord(question, Section.QUESTION);
        String text = question.getType() == Type.TXT
                ? zone.get(question.getName().toString().toLowerCase(Locale.ROOT))
                : null;
        if (text == null) {
            reply.getHeader().setRcode(Rcode.NXDOMAIN);
            return reply;
        }
        List<String> strings = new ArrayList<>();
        for (int from = 0; from < text.length(); from += 255) {
            strings.add(text.substring(from, Math.min(text.length(), from + 255)));
        }
        reply.addRecord(new TXTRecord(question.getName(), DClass.IN, 3_600, strings), Section.ANSWER);
        return reply;
    }
}
