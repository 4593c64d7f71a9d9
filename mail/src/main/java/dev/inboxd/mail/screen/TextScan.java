package dev.inboxd.mail.screen;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Finds the concepts in one text, in one pass, and the rules that they fulfil. */
final class TextScan {
    private static final int SENTENCE = 3;
    private static final int PARAGRAPH = 4;
    private static final double CONCEALED = 7;

    private final NormalForm text;
    private final Context context;
    private final Score score = new Score();
    private final ConceptMentions mentions = new ConceptMentions();
    private final @Nullable Progress[] progress;
    private final RuleBook book = RuleBook.ALL;

    /** How much a place of the text counts. */
    interface Context {
        /** All places alike. */
        Context PLAIN = (_, _) -> 1;

        double weight(int start, int end);
    }

    /** How far a rule is fulfilled: for each slot where its mention, and the first of its chain, is. */
    private static final class Progress {
        private final int[] at;
        private final int[] first;

        Progress(int slots) {
            at = new int[slots];
            first = new int[slots];
            Arrays.fill(at, -1);
        }
    }

    private TextScan(NormalForm text, Context context) {
        this.text = text;
        this.context = context;
        progress = new Progress[book.rules().size()];
    }

    /** The points of a text, all places of which count alike. */
    static TextScan of(NormalForm text) {
        return of(text, Context.PLAIN);
    }

    static TextScan of(NormalForm text, Context context) {
        TextScan scan = new TextScan(text, context);
        scan.find();
        scan.judge();
        return scan;
    }

    Score score() {
        return score;
    }

    ConceptMentions mentions() {
        return mentions;
    }

    private void find() {
        int position = 0;
        boolean within = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.at(i);
            if (NormalForm.isWord(c)) {
                boolean unspaced = text.isUnspaced(i);
                if (unspaced || !within) {
                    position += !unspaced || i % text.unspacedWord(i) == 0 ? 1 : 0;
                    mentionsAt(i, position);
                }
                within = !unspaced;
                continue;
            }
            within = false;
            if (c != ' ' && c != ',') {
                int gap = gap(i, c);
                if (gap > 0) {
                    position += gap;
                    mentions.endSentence(i);
                }
                if (c != '.' && c != '\n') {
                    mentionsAt(i, position);
                }
            }
        }
    }

    private int gap(int i, char c) {
        boolean last = i + 1 >= text.length();
        if (Punctuation.endsSentence(c)) {
            return last || !NormalForm.isWord(text.at(i + 1)) || text.isUnspaced(i + 1) ? SENTENCE : 0;
        }
        return c == '\n' && !last && text.at(i + 1) == '\n' ? PARAGRAPH : 0;
    }

    private void mentionsAt(int i, int position) {
        book.phrases().visit(text, i, (concepts, end) -> mentions.add(concepts, position, i, end));
    }

    private void judge() {
        if (!chooseRules()) {
            return;
        }
        for (int mention = 0; mention < mentions.size(); mention++) {
            for (int concept : mentions.concepts(mention)) {
                for (RuleBook.Place place : book.places(concept)) {
                    Progress state = progress[place.rule()];
                    if (state != null) {
                        meet(place, state, mention);
                    }
                }
            }
        }
    }

    /** Leaves out the rules that cannot be fulfilled, as a concept of them is not mentioned at all: most of them. */
    private boolean chooseRules() {
        BitSet mentioned = mentions.all();
        boolean any = false;
        for (int i = 0; i < progress.length; i++) {
            Rule rule = book.rules().get(i);
            if (rule.canBeMet(mentioned)) {
                progress[i] = new Progress(rule.slots().size());
                any = true;
            }
        }
        return any;
    }

    private void meet(RuleBook.Place place, Progress state, int mention) {
        Rule rule = book.rules().get(place.rule());
        if (rule.points() <= score.of(rule.reason())) {
            return; // it could add nothing
        }
        if (rule.ordered()) {
            meetOrdered(rule, state, place.slot(), mention);
        } else {
            meetAny(rule, state, place.slot(), mention);
        }
    }

    private void meetOrdered(Rule rule, Progress state, int slot, int mention) {
        int first = mention;
        if (slot > 0) {
            int before = state.at[slot - 1];
            if (before < 0
                    || mentions.end(before) > mentions.start(mention)
                    || mentions.position(mention) - mentions.position(state.first[slot - 1]) > rule.window()) {
                return;
            }
            first = state.first[slot - 1];
        }
        state.at[slot] = mention;
        state.first[slot] = first;
        if (slot == state.at.length - 1) {
            fulfil(rule, first, mention);
        }
    }

    private void meetAny(Rule rule, Progress state, int slot, int mention) {
        state.at[slot] = mention;
        int first = mention;
        for (int otherSlot = 0; otherSlot < state.at.length; otherSlot++) {
            int at = state.at[otherSlot];
            if (at < 0
                    || mentions.position(mention) - mentions.position(at) > rule.window()
                    || (otherSlot != slot && mentions.overlap(at, mention))) {
                return;
            }
            first = Math.min(first, at);
        }
        fulfil(rule, first, mention);
    }

    private void fulfil(Rule rule, int first, int last) {
        if (mentions.isNear(rule.refuting(), first, last)) {
            return;
        }
        int start = mentions.start(first);
        int end = mentions.end(last);
        double weight = context.weight(start, end);
        score.add(rule.reason(), rule.points() * weight);
        if (rule.points() >= Score.ENOUGH / 2 && text.isConcealed(start, end)) {
            score.add(ScreenReason.CONCEALED_CHARACTERS, CONCEALED * weight);
        }
    }
}
