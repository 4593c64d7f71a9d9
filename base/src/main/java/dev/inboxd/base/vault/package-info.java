/** Secrets at rest: sealing with the master key, and keys derived from it for one purpose each. */
@NullMarked
package dev.inboxd.base.vault;

import org.jspecify.annotations.NullMarked;
