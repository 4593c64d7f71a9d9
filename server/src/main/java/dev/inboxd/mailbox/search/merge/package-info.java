/** Segments of about one size become one, and what is deleted leaves the index. */
@NullMarked
package dev.inboxd.mailbox.search.merge;

import org.jspecify.annotations.NullMarked;
