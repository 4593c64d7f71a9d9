package dev.inboxd.mail.screen;

import java.util.BitSet;
import java.util.List;

/**
 * Concepts that stand for a reason when they meet.
 *
 * @param reason what it is a sign of
 * @param points how much it counts; {@link Score#ENOUGH} are enough for a review
 * @param ordered whether the concepts follow each other in this order
 * @param window the most words from the first to the last of them
 * @param slots the alternatives for each
 * @param refuting concepts that, near it, make it harmless
 */
record Rule(ScreenReason reason, double points, boolean ordered, int window, List<BitSet> slots, BitSet refuting) {
    /** Whether each slot has a concept among those that are mentioned. */
    boolean canBeMet(BitSet mentioned) {
        for (int i = 0; i < slots.size(); i++) {
            if (!slots.get(i).intersects(mentioned)) {
                return false;
            }
        }
        return true;
    }
}
