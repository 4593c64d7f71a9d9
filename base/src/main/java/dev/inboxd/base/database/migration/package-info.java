/** Makes the tables of a database, and knows which ones it has. */
@NullMarked
package dev.inboxd.base.database.migration;

import org.jspecify.annotations.NullMarked;
