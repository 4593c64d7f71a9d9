/**
 * Looks at the characters and lines of texts: for how many tokens they stand, where they may be cut, whether they are
 * aligned or quoted. Pure.
 */
@NullMarked
package dev.inboxd.mail.markdown.measure;

import org.jspecify.annotations.NullMarked;
