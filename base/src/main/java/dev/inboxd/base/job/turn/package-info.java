/** The turns that rows and organizations take on a node, so that none of them delays requests. */
@NullMarked
package dev.inboxd.base.job.turn;

import org.jspecify.annotations.NullMarked;
