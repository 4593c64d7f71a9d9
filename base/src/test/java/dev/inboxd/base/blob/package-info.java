/** Tests of {@code dev.inboxd.base.blob}: one contract, run against every form of the store. */
@NullMarked
package dev.inboxd.base.blob;

import org.jspecify.annotations.NullMarked;
