package dev.inboxd.payment.offer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What payers are offered.
 *
 * @param x402 the offers of x402, in the order in which they are made
 * @param mpp the methods of MPP, each of another name
 * @param prices what the calls cost
 */
public record PaymentTerms(List<ExactOffer> x402, List<ChargeMethod> mpp, PriceList prices) {
    /** The network of development: Base Sepolia, on which money is worth nothing. */
    public static final String TEST_NETWORK = "eip155:84532";

    /** The asset that public clients pay with on that network without being told to. */
    private static final String TEST_ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";

    private static final String NOBODY = "0x000000000000000000000000000000000000dEaD";
    private static final int TEST_DECIMALS = 6;

    public PaymentTerms {
        x402 = List.copyOf(x402);
        mpp = List.copyOf(mpp);
    }

    /**
     * The offers of development without a file, at the prices as shipped.
     *
     * @param routes those that there are
     */
    public static PaymentTerms development(Set<String> routes) {
        Map<String, Object> domain = MemberMaps.of("name", "USDC", "version", "2");
        ExactOffer offer = new ExactOffer(
                TEST_NETWORK, TEST_ASSET, TEST_DECIMALS, NOBODY, domain, ExactOffer.USUAL_TIMEOUT_SECONDS);
        ChargeMethod method = new ChargeMethod(
                ChargeMethod.EVM,
                new ChargeMethod.Verifier.Facilitator(),
                TEST_ASSET,
                NOBODY,
                TEST_DECIMALS,
                MemberMaps.of("chainId", 84_532L, "credentialTypes", List.of("authorization")),
                domain);
        return new PaymentTerms(List.of(offer), List.of(method), PriceList.shipped(routes));
    }

    /** The method of this name; empty when the terms have none. */
    public Optional<ChargeMethod> method(String name) {
        return mpp.stream().filter(method -> method.method().equals(name)).findFirst();
    }
}
