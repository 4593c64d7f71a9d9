package dev.inboxd.mail.spam;

import java.util.Optional;

/**
 * What {@link FeatureCounts} say about features, ready to judge by: for each that says something, the logarithm of the odds that
 * a message with it is spam. A feature that was seen seldom says less (G. Robinson, "A Statistical Approach to the Spam
 * Problem", Linux Journal 107, 2003). Immutable, and small: half a megabyte for some hundred marked messages.
 */
public final class FeatureWeights {
    /** With so much evidence a message is spam: in cross-validation, less than one of 200 clean messages has as much. */
    public static final double SPAM = 4;

    /** Before so many of each kind were learned nothing is said. */
    public static final int LEAST = 20;

    /** How many messages the assumption weighs that a feature says nothing. */
    private static final double STRENGTH = 0.2;

    /** Features nearer to even odds say nothing, and of the others the strongest decide: those a person would name. */
    private static final double LEAST_SHARE = 0.6;

    private static final int MOST = 40;
    /** Fewer are not enough to be sure, however strong. */
    private static final int FEW = 20;
    /** Odds are kept in an octet each. */
    private static final double STEP = 0.1;

    private final int[] hashes;
    private final byte[] odds;

    private FeatureWeights(int places) {
        this.hashes = new int[places];
        this.odds = new byte[places];
    }

    /** What the counts say; empty when they are of too few messages. */
    public static Optional<FeatureWeights> of(FeatureCounts counts) {
        double spamMessages = counts.messages(true);
        double cleanMessages = counts.messages(false);
        if (spamMessages < LEAST || cleanMessages < LEAST) {
            return Optional.empty();
        }
        FeatureWeights weights = new FeatureWeights(Integer.highestOneBit(Math.max(1, counts.size())) * 4);
        counts.forEach((hash, spam, clean) -> {
            double inSpam = spam / spamMessages;
            double share = inSpam / (inSpam + clean / cleanMessages);
            double seen = spam + clean;
            double believed = (STRENGTH / 2 + seen * share) / (STRENGTH + seen);
            if (believed >= LEAST_SHARE || believed <= 1 - LEAST_SHARE) {
                weights.put(hash, (byte) Math.clamp(Math.round(Math.log(believed / (1 - believed)) / STEP), -127, 127));
            }
        });
        return Optional.of(weights);
    }

    /** Octets of memory it takes. */
    public int size() {
        return hashes.length * (Integer.BYTES + Byte.BYTES);
    }

    /**
     * How much speaks for spam, or less than 0 against it: the sum of the strongest odds over the root of their number, so
     * that long messages are not judged more sharply than short ones.
     */
    public double evidence(Features features) {
        int[] byStrength = new int[128];
        byte[] all = new byte[features.size()];
        int[] count = new int[1];
        features.forEach(hash -> {
            byte odd = get(hash);
            if (odd != 0) {
                all[count[0]++] = odd;
                byStrength[Math.abs(odd)]++;
            }
        });
        int least = 127;
        int taken = byStrength[127];
        while (least > 1 && taken + byStrength[least - 1] <= MOST) {
            least--;
            taken += byStrength[least];
        }
        double sum = 0;
        for (int i = 0; i < count[0]; i++) {
            sum += Math.abs(all[i]) >= least ? all[i] : 0;
        }
        return sum * STEP / Math.sqrt(Math.max(FEW, taken));
    }

    private void put(int hash, byte odd) {
        int at = at(hash);
        hashes[at] = hash;
        odds[at] = odd;
    }

    private byte get(int hash) {
        return odds[at(hash)];
    }

    private int at(int hash) {
        int at = hash & (hashes.length - 1);
        while (odds[at] != 0 && hashes[at] != hash) {
            at = (at + 1) & (hashes.length - 1);
        }
        return at;
    }
}
