/** Tests of search. */
@NullMarked
package dev.inboxd.mailbox.search;

import org.jspecify.annotations.NullMarked;
