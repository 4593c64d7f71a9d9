/**
 * What a model reads of a result: within a bound of tokens, with what others wrote between fences, and with the call
 * that gives the rest (mcp.md §3).
 */
@NullMarked
package dev.inboxd.mcp.result;

import org.jspecify.annotations.NullMarked;
