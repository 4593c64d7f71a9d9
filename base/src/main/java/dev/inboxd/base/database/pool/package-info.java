/** The connections of a node, in front of which its transactions wait in a fair queue. */
@NullMarked
package dev.inboxd.base.database.pool;

import org.jspecify.annotations.NullMarked;
