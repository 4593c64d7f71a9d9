/** Work on the whole installation that one node does for all. */
@NullMarked
package dev.inboxd.base.job.upkeep;

import org.jspecify.annotations.NullMarked;
