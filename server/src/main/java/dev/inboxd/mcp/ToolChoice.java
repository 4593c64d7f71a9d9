package dev.inboxd.mcp;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.mcp.result.ResultBudget;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tools a client is shown, and how (mcp.md §2): what its address asks for, and what is usual for its credential.
 *
 * @param sets whose tools are listed
 * @param inbox the inbox that a call means which names none: that of the credential, or that of the address; or null
 * @param hasResults whether the schemas of results are listed
 * @param mostTokens the most tokens of a result
 */
record ToolChoice(Set<Toolset> sets, @Nullable String inbox, boolean hasResults, int mostTokens) {
    private static final String MAX_TOKENS = "max_tokens";
    /** What is never cut of one mail has room in so many. */
    private static final int LEAST_TOKENS = 5_000;

    private static final String INBOX = "inbox_id";
    private static final String TOOLSETS = "toolsets";
    private static final String OUTPUT_SCHEMAS = "output_schemas";
    private static final Set<Toolset> USUAL_OF_INBOX = Set.of(Toolset.MAIL, Toolset.DRAFTS);

    ToolChoice {
        sets = Set.copyOf(sets);
    }

    /**
     * Reads the address of a request.
     *
     * @throws RpcException for a word that is no toolset
     */
    static ToolChoice of(Request request) {
        try {
            List<String> words = request.query().words(TOOLSETS);
            String named = request.query().text(INBOX);
            boolean hasResults = request.query().flag(OUTPUT_SCHEMAS, false);
            Long most = request.query().integer(MAX_TOKENS, LEAST_TOKENS, ResultBudget.MOST_TOKENS);
            request.query().check();
            String inbox = named == null || named.isEmpty() ? request.caller().inboxName() : named;
            return new ToolChoice(
                    words.isEmpty() ? usual(inbox) : sets(words),
                    inbox,
                    hasResults,
                    most == null ? ResultBudget.MOST_TOKENS : most.intValue());
        } catch (Problem wrong) {
            throw RpcException.of(
                    400,
                    RpcException.INVALID_PARAMS,
                    "The address of the protocol is wrong: "
                            + wrong.faults().getFirst().message());
        }
    }

    private static Set<Toolset> usual(@Nullable String inbox) {
        return inbox == null ? EnumSet.complementOf(EnumSet.of(Toolset.CLAIMS)) : USUAL_OF_INBOX;
    }

    private static Set<Toolset> sets(List<String> words) {
        Set<Toolset> sets = EnumSet.noneOf(Toolset.class);
        for (String word : words) {
            Toolset set = Toolset.of(word);
            if (set == null) {
                throw RpcException.of(
                        400,
                        RpcException.INVALID_PARAMS,
                        "toolsets in the address has the word " + (word.length() <= 100 ? word : word.substring(0, 100))
                                + ", which is none. Use " + Toolset.words() + ", with commas between them");
            }
            sets.add(set);
        }
        return sets;
    }

    /**
     * Whether tools of these sets are listed.
     *
     * @param own the sets of a tool
     * @param wide those of them in which a client of one inbox is not shown the tool
     */
    boolean shows(Set<Toolset> own, Set<Toolset> wide) {
        return own.stream().anyMatch(set -> sets.contains(set) && (inbox == null || !wide.contains(set)));
    }
}
