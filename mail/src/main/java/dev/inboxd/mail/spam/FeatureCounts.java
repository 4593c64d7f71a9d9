package dev.inboxd.mail.spam;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Counts, for spam and for other messages, how many had each feature. The size is bounded: when there are too many
 * features, those seen only once are dropped, and if that does not suffice, all counts are halved. Not thread-safe.
 */
public final class FeatureCounts {
    /** Maximum number of features stored. */
    public static final int MOST = 1 << 17;

    private static final int FIRST_TABLE = 1 << 10;
    /** A count fits in two octets. */
    private static final int LARGEST = 60_000;

    /** Open addressing, at most half full. A feature without counts is a free slot. */
    private int[] hashes = new int[FIRST_TABLE];

    private char[] spam = new char[FIRST_TABLE];
    private char[] clean = new char[FIRST_TABLE];
    private int size;
    private int spamMessages;
    private int cleanMessages;

    /** Empty counts. */
    public FeatureCounts() {}

    /** Receives each feature. */
    interface FeatureConsumer {
        void take(int hash, int spam, int clean);
    }

    /** Learned messages of a class, as far as their counts have not decayed. */
    public int messages(boolean ofSpam) {
        return ofSpam ? spamMessages : cleanMessages;
    }

    /** Number of features. */
    public int size() {
        return size;
    }

    /**
     * Adds a message of a class.
     *
     * @param features the message, as {@link SpamAnalysis} finds them
     * @param isSpam whether it is of the class of spam
     */
    public void learn(Features features, boolean isSpam) {
        features.forEach(hash -> add(hash, isSpam ? 1 : 0, isSpam ? 0 : 1));
        spamMessages += isSpam ? 1 : 0;
        cleanMessages += isSpam ? 0 : 1;
        if (size > MOST) {
            keep(2, 1);
            if (size > MOST / 4 * 3) {
                fade();
            }
        }
        if (Math.max(spamMessages, cleanMessages) > LARGEST) {
            fade();
        }
    }

    /**
     * Subtracts a learned message. Counts that were halved meanwhile stay as they are.
     *
     * @param features the message as it was learned
     * @param wasSpam the class in which it was learned
     */
    public void forget(Features features, boolean wasSpam) {
        features.forEach(hash -> {
            int at = at(hash);
            char[] counts = wasSpam ? spam : clean;
            counts[at] = (char) Math.max(0, counts[at] - 1);
        });
        spamMessages -= wasSpam && spamMessages > 0 ? 1 : 0;
        cleanMessages -= !wasSpam && cleanMessages > 0 ? 1 : 0;
        keep(1, 1); // a freed slot would hide the entries behind it
    }

    void forEach(FeatureConsumer taker) {
        for (int i = 0; i < hashes.length; i++) {
            if (isTaken(i)) {
                taker.take(hashes[i], spam[i], clean[i]);
            }
        }
    }

    /** The stored form. */
    public byte[] deflated() {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(octets, deflater))) {
            out.writeInt(spamMessages);
            out.writeInt(cleanMessages);
            out.writeInt(size);
            for (int i = 0; i < hashes.length; i++) {
                if (isTaken(i)) {
                    out.writeInt(hashes[i]);
                    out.writeChar(spam[i]);
                    out.writeChar(clean[i]);
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            deflater.end();
        }
        return octets.toByteArray();
    }

    /**
     * The counts of a stored form.
     *
     * @param stored what {@link #deflated} gave
     * @throws UncheckedIOException when it is something else
     */
    public static FeatureCounts inflated(byte[] stored) {
        FeatureCounts counts = new FeatureCounts();
        try (DataInputStream in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(stored)))) {
            counts.spamMessages = in.readInt();
            counts.cleanMessages = in.readInt();
            int size = in.readInt();
            for (int i = 0; i < size; i++) {
                counts.add(in.readInt(), in.readChar(), in.readChar());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return counts;
    }

    private void add(int hash, int ofSpam, int ofClean) {
        int at = at(hash);
        if (!isTaken(at)) {
            hashes[at] = hash;
            size++;
        }
        spam[at] = (char) Math.min(Character.MAX_VALUE, spam[at] + ofSpam);
        clean[at] = (char) Math.min(Character.MAX_VALUE, clean[at] + ofClean);
        if (size > hashes.length / 2) {
            resize(2 * hashes.length);
        }
    }

    private int at(int hash) {
        int at = hash & (hashes.length - 1);
        while (isTaken(at) && hashes[at] != hash) {
            at = (at + 1) & (hashes.length - 1);
        }
        return at;
    }

    private boolean isTaken(int at) {
        return spam[at] + clean[at] > 0;
    }

    private void fade() {
        spamMessages /= 2;
        cleanMessages /= 2;
        keep(1, 2);
    }

    private void resize(int places) {
        rebuild(places, 1, 1);
    }

    /** Keeps features with at least this count, with their counts divided. */
    private void keep(int least, int divisor) {
        rebuild(hashes.length, least, divisor);
    }

    private void rebuild(int places, int least, int divisor) {
        int[] oldHashes = hashes;
        char[] oldSpam = spam;
        char[] oldClean = clean;
        hashes = new int[places];
        spam = new char[places];
        clean = new char[places];
        size = 0;
        for (int i = 0; i < oldHashes.length; i++) {
            if (oldSpam[i] + oldClean[i] >= least && oldSpam[i] / divisor + oldClean[i] / divisor > 0) {
                add(oldHashes[i], oldSpam[i] / divisor, oldClean[i] / divisor);
            }
        }
    }
}
