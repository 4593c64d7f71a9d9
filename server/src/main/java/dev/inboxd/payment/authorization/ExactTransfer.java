package dev.inboxd.payment.authorization;

/**
 * The transfer that an offer wants and a payment authorizes.
 *
 * @param network the chain in CAIP-2 form, such as {@code eip155:8453}; of a method without chains its name
 * @param asset what is moved: of a chain of {@code eip155} the address of the token's contract
 * @param amount whole units of the asset, digits without leading zeros; "0" for a proof, which is never settled
 * @param payTo the account that receives it
 */
public record ExactTransfer(String network, String asset, String amount, String payTo) {
    /** Whether the network is a chain of {@code eip155}, where addresses are written in hexadecimal digits. */
    public boolean isEvm() {
        return network.startsWith("eip155:");
    }
}
