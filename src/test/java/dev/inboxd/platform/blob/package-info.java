/** Tests of {@code dev.inboxd.platform.blob}: one contract, run against every form of the store. */
@NullMarked
package dev.inboxd.platform.blob;

import org.jspecify.annotations.NullMarked;
