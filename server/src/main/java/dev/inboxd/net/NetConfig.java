package dev.inboxd.net;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How the outside is reached.
 *
 * @param nameServers asked for every lookup, in this order
 * @param targets which URLs of users may be called
 * @param userAgent how this service is called in HTTP
 */
public record NetConfig(List<InetSocketAddress> nameServers, TargetRules targets, String userAgent) {
    private static final Duration DNS_DEADLINE = Duration.ofSeconds(5);

    public NetConfig {
        nameServers = List.copyOf(nameServers);
    }

    /** Asks the name servers. */
    public Dns dns() {
        return new Dns(nameServers, DNS_DEADLINE);
    }

    /** Asks the same name servers in another order: first the one that {@link #dns} asks second. */
    public Dns secondDns() {
        List<InetSocketAddress> servers = new ArrayList<>(nameServers);
        Collections.rotate(servers, -1);
        return new Dns(servers, DNS_DEADLINE);
    }

    /** Asks the name servers for what authenticates mail. */
    public MailDns mailDns() {
        return new MailDns(nameServers, DNS_DEADLINE);
    }

    /** Calls URLs of users: webhooks, and attachments by URL. */
    public SafeHttp userHttp() {
        return new SafeHttp(targets, dns(), userAgent);
    }

    /** Calls URLs of the operator, which may be anywhere; no rule for users' URLs applies. */
    public SafeHttp operatorHttp() {
        return operatorHttp(AddressPolicy.ANY);
    }

    /** Calls URLs of the operator at these addresses; no other rule for users' URLs applies. */
    public SafeHttp operatorHttp(AddressPolicy addresses) {
        return new SafeHttp(new TargetRules(addresses, true, true), dns(), userAgent);
    }
}
