package dev.inboxd.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A port of this server is never a target, however its address is written (ruling 168). */
final class OwnPortsTest {
    private static final int PORT = 8025;

    private static TargetRules rules() {
        OwnPorts own = new OwnPorts();
        own.add(PORT);
        return new TargetRules(AddressPolicy.ANY, true, true, own);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.8.7",
                "0.0.0.0",
                "2130706433",
                "0x7f.1",
                "localhost",
                "a.localhost",
                "[::1]",
                "[::]",
                "[::ffff:127.0.0.1]",
                "[::ffff:7f00:1]",
                "[0:0:0:0:0:ffff:7f00:0001]",
                "[::ffff:0.0.0.0]",
                "[::127.0.0.1]",
                "[::7f00:1]",
                "[::ffff:0:127.0.0.1]",
                "[64:ff9b::127.0.0.1]",
                "[64:ff9b::7f00:1]",
                "[64:ff9b:1::7f00:1]",
                "[2002:7f00:1::]",
                "[2002:7f00:0001::1]",
                "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
                "[2001:0:7f00:1::]",
                "[fe80::5efe:127.0.0.1]"
            })
    @Proves("A39a")
    void anAddressThatLeadsHereIsRefused(String host) {
        assertThat(Target.checkDownload("http://" + host + ":" + PORT + "/", rules()))
                .isNotInstanceOf(TargetCheck.Valid.class);
        assertThat(Target.checkDownload("http://" + host + ":" + (PORT + 1) + "/", rules()))
                .isInstanceOf(TargetCheck.Valid.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"93.184.216.34", "[2606:2800:220::1]", "[::ffff:93.184.216.34]", "example.com"})
    void othersAreNot(String host) {
        assertThat(Target.checkDownload("http://" + host + ":" + PORT + "/", rules()))
                .isInstanceOf(TargetCheck.Valid.class);
    }

    /** A zone says by which interface a packet leaves, and is no part of the address. */
    @Test
    void aZoneIsNoPartOfAnAddress() throws Exception {
        InetAddress zoned = InetAddress.ofLiteral("::ffff:0:7f00:1%1");
        assertThat(EmbeddedIpv4.all(zoned))
                .isEqualTo(List.of(InetAddress.ofLiteral("::ffff:0:7f00:1"), InetAddress.ofLiteral("127.0.0.1")));
        assertThat(Target.checkDownload("http://[::ffff:7f00:1%251]:" + PORT + "/", rules()))
                .isNotInstanceOf(TargetCheck.Valid.class);
    }
}
