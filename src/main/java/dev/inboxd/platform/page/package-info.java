/**
 * Keyset paging: the page that a list request asks for, the cursor where a page ended, and the sealed token that
 * carries the cursor to the next request (mail.md §1.5).
 */
@NullMarked
package dev.inboxd.platform.page;

import org.jspecify.annotations.NullMarked;
