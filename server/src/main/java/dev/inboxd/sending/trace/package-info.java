/** The trace of a message (approvals.md §8): from the server that brought it to those whom it was told. */
@NullMarked
package dev.inboxd.sending.trace;

import org.jspecify.annotations.NullMarked;
