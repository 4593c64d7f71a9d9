/** The trace of a message (approvals.md §8): what happened to it, from the server that brought it to those it was told. */
@NullMarked
package dev.inboxd.sending.trace;

import org.jspecify.annotations.NullMarked;
