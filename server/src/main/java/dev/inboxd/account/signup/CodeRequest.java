package dev.inboxd.account.signup;

/**
 * A request for a mail with a code.
 *
 * @param human the address that gets it
 * @param remoteAddress the IP address from which it was asked for
 */
public record CodeRequest(String human, String remoteAddress) {
    /** What the mail says of it. */
    public String origin() {
        return "It was asked for from the address " + remoteAddress + ".";
    }
}
