package dev.inboxd.mail.spam;

import java.util.Optional;

/**
 * Weights computed from {@link FeatureCounts}: for each significant feature, the logarithm of the odds that a message
 * with it is spam. A rare feature weighs less (G. Robinson, "A Statistical Approach to the Spam Problem", Linux
 * Journal 107, 2003). Immutable, and small: half a megabyte for some hundred marked messages.
 */
public final class FeatureWeights {
    /** Evidence at which a message is spam: in cross-validation, less than one of 200 clean messages has as much. */
    public static final double SPAM = 4;

    /** Minimum number of learned messages of each class; with fewer there are no weights. */
    public static final int LEAST = 20;

    /** Weight, in messages, of the prior assumption that a feature is neutral. */
    private static final double STRENGTH = 0.2;

    /** Features nearer to even odds are ignored. Of the others the strongest decide: those that a person would name. */
    private static final double LEAST_SHARE = 0.6;

    private static final int MOST = 40;
    /** Fewer features are not enough for certainty, however strong. */
    private static final int FEW = 20;
    /** Odds are stored in one octet each. */
    private static final double STEP = 0.1;

    private final int[] hashes;
    private final byte[] odds;

    private FeatureWeights(int places) {
        this.hashes = new int[places];
        this.odds = new byte[places];
    }

    /** The weights of the counts; empty when too few messages were learned. */
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
            double occurrences = spam + clean;
            double believed = (STRENGTH / 2 + occurrences * share) / (STRENGTH + occurrences);
            if (believed >= LEAST_SHARE || believed <= 1 - LEAST_SHARE) {
                weights.put(hash, (byte) Math.clamp(Math.round(Math.log(believed / (1 - believed)) / STEP), -127, 127));
            }
        });
        return Optional.of(weights);
    }

    /** Size in memory, in octets. */
    public int size() {
        return hashes.length * (Integer.BYTES + Byte.BYTES);
    }

    /**
     * The evidence for spam, below 0 against it: the sum of the strongest log odds divided by the square root of their
     * number, so that long messages are not judged more harshly than short ones.
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
        int counted = byStrength[127];
        while (least > 1 && counted + byStrength[least - 1] <= MOST) {
            least--;
            counted += byStrength[least];
        }
        double sum = 0;
        for (int i = 0; i < count[0]; i++) {
            sum += Math.abs(all[i]) >= least ? all[i] : 0;
        }
        return sum * STEP / Math.sqrt(Math.max(FEW, counted));
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
