/**
 * What tests of several packages share: PostgreSQL, sockets, a disk that fills up, and the annotation that names the
 * promises a test proves.
 */
@NullMarked
package dev.inboxd.testing;

import org.jspecify.annotations.NullMarked;
