/** Failures of files in the words of an operator, and a file of lines that is kept in order. */
@NullMarked
package dev.inboxd.base.io;

import org.jspecify.annotations.NullMarked;
