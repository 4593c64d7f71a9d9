package dev.inboxd.payment.offer;

/** The forms of networks and addresses. */
final class Chains {
    private static final String HEX = "0123456789abcdefABCDEF";
    /** The letters of Bitcoin's base 58: without 0, O, I and l. */
    private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

    private static final int LONGEST_ADDRESS = 128;

    private Chains() {}

    /** Whether a text names a network in CAIP-2 form; of {@code eip155} the reference is a number. */
    static boolean isNetwork(String text) {
        int colon = text.indexOf(':');
        String namespace = text.substring(0, Math.max(0, colon));
        String reference = text.substring(colon + 1);
        if (namespace.equals("eip155")) {
            return reference.length() <= 18 && consistsOf(reference, "0123456789") && !reference.startsWith("0");
        }
        return namespace.length() >= 3
                && namespace.length() <= 8
                && consistsOf(namespace, "abcdefghijklmnopqrstuvwxyz0123456789-")
                && reference.length() <= 32
                && !reference.isEmpty()
                && reference.chars().allMatch(c -> c == '-' || c == '_' || isLetterOrDigit(c));
    }

    /** Whether a text is an address of a network; of one that nobody knows here, whether it could be. */
    static boolean isAddress(String network, String text) {
        if (ExactOffer.isEip155(network)) {
            return text.length() == 42 && text.startsWith("0x") && consistsOf(text.substring(2), HEX);
        }
        if (network.startsWith("solana:")) {
            return text.length() >= 32 && text.length() <= 44 && consistsOf(text, BASE58);
        }
        return text.length() <= LONGEST_ADDRESS && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    private static boolean isLetterOrDigit(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean consistsOf(String text, String characters) {
        return !text.isEmpty() && text.chars().allMatch(c -> characters.indexOf(c) >= 0);
    }
}
