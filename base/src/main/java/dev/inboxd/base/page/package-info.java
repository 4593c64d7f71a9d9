/**
 * Keyset paging: what a list request asks for, the place where a page ended, and the sealed token that carries it to
 * the next request (mail.md §1.5).
 */
@NullMarked
package dev.inboxd.base.page;

import org.jspecify.annotations.NullMarked;
