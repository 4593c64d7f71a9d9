/** The form of the index: segments of sorted terms with the documents that hold them, as rows. */
@NullMarked
package dev.inboxd.mailbox.search.segment;

import org.jspecify.annotations.NullMarked;
