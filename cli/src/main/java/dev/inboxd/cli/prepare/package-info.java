/**
 * {@code inboxd prepare}: the ahead-of-time cache of Java, which makes starts fast. A trial server with a folder of its
 * own does some seconds of ordinary work, and Java writes down what it loaded, linked and found worth compiling.
 * PostgreSQL's programs are unpacked beside it, once for all data folders.
 */
@NullMarked
package dev.inboxd.cli.prepare;

import org.jspecify.annotations.NullMarked;
