/**
 * What tests of several packages share: PostgreSQL, sockets, a disk that fills up.
 */
@NullMarked
package dev.inboxd.testing;

import org.jspecify.annotations.NullMarked;
