/** What is written in addresses and header fields: escapes, ranges, names of files. */
@NullMarked
package dev.inboxd.base.http.syntax;

import org.jspecify.annotations.NullMarked;
