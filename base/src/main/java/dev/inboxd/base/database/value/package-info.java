/** Java values as PostgreSQL takes them. */
@NullMarked
package dev.inboxd.base.database.value;

import org.jspecify.annotations.NullMarked;
