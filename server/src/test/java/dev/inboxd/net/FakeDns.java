package dev.inboxd.net;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Section;
import org.xbill.DNS.TLSARecord;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * A name server for tests: real DNS over UDP and TCP on one loopback port. Names it was not told about do not exist.
 * Several answers for one question are given one after another, and the last one from then on.
 */
public final class FakeDns implements AutoCloseable {
    private static final int TTL = 60;

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Map<String, Deque<Answer>> zone = new HashMap<>();
    private final Set<String> proven = new HashSet<>();
    private final BlockingQueue<String> questions = new LinkedBlockingQueue<>();
    private volatile boolean mute;

    private sealed interface Answer {}

    private record Records(List<Record> records) implements Answer {}

    private record Failure(int rcode) implements Answer {}

    private record Silence() implements Answer {}

    private FakeDns() throws IOException {
        tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        udp = new DatagramSocket(tcp.getLocalPort(), InetAddress.getLoopbackAddress());
    }

    /** Starts a server that knows nothing yet. */
    public static FakeDns start() {
        for (int attempt = 1; ; attempt++) {
            try {
                FakeDns dns = new FakeDns();
                Thread.ofVirtual().start(dns::serveUdp);
                Thread.ofVirtual().start(dns::serveTcp);
                return dns;
            } catch (IOException e) {
                if (attempt == 10) { // the UDP port of the same number was taken ten times
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Where it listens, for the resolver under test. */
    public List<InetSocketAddress> servers() {
        return List.of(new InetSocketAddress(udp.getLocalAddress(), udp.getLocalPort()));
    }

    /** Each question as it arrives: {@code name. TYPE}. */
    public BlockingQueue<String> questions() {
        return questions;
    }

    /** Answers with A and AAAA records; the other family then exists without records. */
    public FakeDns addresses(String name, String... addresses) {
        List<Record> ipv4 = new ArrayList<>();
        List<Record> ipv6 = new ArrayList<>();
        for (String address : addresses) {
            if (address.indexOf(':') < 0) {
                ipv4.add(new ARecord(name(name), DClass.IN, TTL, octets(address)));
            } else {
                ipv6.add(new AAAARecord(name(name), DClass.IN, TTL, octets("[" + address + "]")));
            }
        }
        return add(name, Type.A, new Records(ipv4)).add(name, Type.AAAA, new Records(ipv6));
    }

    /** Answers with this many different public IPv4 addresses. */
    public FakeDns manyAddresses(String name, int count) {
        return addresses(
                name,
                IntStream.range(0, count)
                        .mapToObj(i -> "93.184." + i / 256 + "." + i % 256)
                        .toArray(String[]::new));
    }

    /** Answers questions for addresses and mail exchangers with an alias. */
    public FakeDns alias(String name, String target) {
        Answer answer = new Records(List.of(new CNAMERecord(name(name), DClass.IN, TTL, name(target))));
        return add(name, Type.A, answer).add(name, Type.AAAA, answer).add(name, Type.MX, answer);
    }

    /** Answers with mail exchangers written as {@code "10 mx.example"}; {@code "0 ."} is a null MX. */
    public FakeDns mailExchangers(String name, String... exchangers) {
        List<Record> records = new ArrayList<>();
        for (String exchanger : exchangers) {
            int space = exchanger.indexOf(' ');
            records.add(new MXRecord(
                    name(name),
                    DClass.IN,
                    TTL,
                    Integer.parseInt(exchanger.substring(0, space)),
                    name(exchanger.substring(space + 1))));
        }
        return add(name, Type.MX, new Records(records));
    }

    /** Answers with one TXT record of these strings. */
    public FakeDns text(String name, String... strings) {
        return add(name, Type.TXT, new Records(List.of(new TXTRecord(name(name), DClass.IN, TTL, List.of(strings)))));
    }

    /** Answers with these TXT records, each of strings of 255 octets at most. */
    public FakeDns texts(String name, String... texts) {
        List<Record> records = new ArrayList<>();
        for (String text : texts) {
            List<String> strings = new ArrayList<>();
            for (int i = 0; i < text.length(); i += 255) {
                strings.add(text.substring(i, Math.min(text.length(), i + 255)));
            }
            records.add(new TXTRecord(name(name), DClass.IN, TTL, strings));
        }
        return add(name, Type.TXT, new Records(records));
    }

    /** Answers a question for the alias itself. */
    public FakeDns canonicalName(String name, String target) {
        return add(name, Type.CNAME, new Records(List.of(new CNAMERecord(name(name), DClass.IN, TTL, name(target)))));
    }

    /** Takes every answer for a name back. */
    public synchronized FakeDns forget(String name) {
        String owner = name(name).toString().toLowerCase(Locale.ROOT) + " ";
        zone.keySet().removeIf(key -> key.startsWith(owner));
        return this;
    }

    /** The setting that leads to it. */
    public String setting() {
        return udp.getLocalAddress().getHostAddress() + ":" + udp.getLocalPort();
    }

    /** Answers the question for the name of an address. */
    public FakeDns pointer(String address, String target) {
        Name name = ReverseMap.fromAddress(InetAddress.ofLiteral(address));
        return add(name.toString(), Type.PTR, new Records(List.of(new PTRRecord(name, DClass.IN, TTL, name(target)))));
    }

    /** Answers with one TXT record of any length, in as many strings as it needs. */
    public FakeDns longText(String name, String text) {
        List<String> strings = new ArrayList<>();
        for (int from = 0; from < text.length(); from += 255) {
            strings.add(text.substring(from, Math.min(text.length(), from + 255)));
        }
        return text(name, strings.toArray(String[]::new));
    }

    /** Says SERVFAIL. */
    public FakeDns failing(String name, int type) {
        return add(name, type, new Failure(Rcode.SERVFAIL));
    }

    /** Says nothing at all. */
    public FakeDns silent(String name, int type) {
        return add(name, type, new Silence());
    }

    /** From now on says nothing at all to anybody; its port stays its own, so that nobody else answers there. */
    public void fallSilent() {
        mute = true;
    }

    /** Answers with TLSA records, each written as {@code "3 1 1 0a1b…"}. */
    public FakeDns certificates(String host, int port, String... records) {
        List<Record> answer = new ArrayList<>();
        for (String record : records) {
            String[] words = record.split(" ", -1);
            answer.add(new TLSARecord(
                    name("_" + port + "._tcp." + host),
                    DClass.IN,
                    TTL,
                    Integer.parseInt(words[0]),
                    Integer.parseInt(words[1]),
                    Integer.parseInt(words[2]),
                    HexFormat.of().parseHex(words[3])));
        }
        return add("_" + port + "._tcp." + host, Type.TLSA, new Records(answer));
    }

    /** From now on claims that DNSSEC proves what it says of names at or below this one; the root is {@code ""}. */
    public synchronized FakeDns proving(String name) {
        proven.add(name.toLowerCase(Locale.ROOT));
        return this;
    }

    private synchronized boolean proves(Name name) {
        String text = name.toString(true).toLowerCase(Locale.ROOT);
        return proven.stream().anyMatch(top -> text.equals(top) || text.endsWith("." + top) || top.isEmpty());
    }

    private synchronized FakeDns add(String name, int type, Answer answer) {
        zone.computeIfAbsent(key(name(name), type), _ -> new ArrayDeque<>()).add(answer);
        return this;
    }

    @Override
    public void close() {
        udp.close();
        try {
            tcp.close();
        } catch (IOException closedAnyway) {
            throw new UncheckedIOException(closedAnyway);
        }
    }

    private void serveUdp() {
        byte[] buffer = new byte[4096];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                udp.receive(packet);
                Message query = new Message(Arrays.copyOf(buffer, packet.getLength()));
                int room = query.getOPT() == null ? 512 : query.getOPT().getPayloadSize();
                byte[] reply = reply(query, room);
                if (reply != null) {
                    udp.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void serveTcp() {
        try {
            while (true) {
                Socket socket = tcp.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    /** RFC 7766: each message is preceded by its length. */
    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            while (true) {
                byte[] query = new byte[in.readUnsignedShort()];
                in.readFully(query);
                byte[] reply = reply(new Message(query), 65_535);
                if (reply != null) {
                    out.writeShort(reply.length);
                    out.write(reply);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The resolver has hung up.
        }
    }

    private byte @Nullable [] reply(Message query, int room) {
        Record question = query.getQuestion();
        questions.add(question.getName() + " " + Type.string(question.getType()));
        if (mute) {
            return null;
        }
        Message reply = new Message(query.getHeader().getID());
        reply.getHeader().setFlag(Flags.QR);
        reply.getHeader().setFlag(Flags.RD);
        reply.getHeader().setFlag(Flags.RA);
        if (query.getHeader().getFlag(Flags.AD) && proves(question.getName())) {
            reply.getHeader().setFlag(Flags.AD);
        }
        reply.addRecord(question, Section.QUESTION);
        switch (answer(question)) {
            case Records(List<Record> records) -> records.forEach(record -> reply.addRecord(record, Section.ANSWER));
            case Failure(int rcode) -> reply.getHeader().setRcode(rcode);
            case Silence _ -> {
                return null;
            }
        }
        return reply.toWire(room);
    }

    private synchronized Answer answer(Record question) {
        Deque<Answer> answers = zone.get(key(question.getName(), question.getType()));
        if (answers != null) {
            return answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
        }
        String owner = question.getName().toString().toLowerCase(Locale.ROOT) + " ";
        boolean exists = zone.keySet().stream().anyMatch(key -> key.startsWith(owner));
        return exists ? new Records(List.of()) : new Failure(Rcode.NXDOMAIN);
    }

    private static String key(Name name, int type) {
        return name.toString().toLowerCase(Locale.ROOT) + " " + type;
    }

    private static byte[] octets(String address) {
        if (Host.classify(address) instanceof Host.Address(InetAddress parsed)) {
            return parsed.getAddress();
        }
        throw new IllegalArgumentException(address);
    }

    private static Name name(String text) {
        try {
            return Name.fromString(text, Name.root);
        } catch (TextParseException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
