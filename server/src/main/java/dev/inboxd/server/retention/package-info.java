/** How long rows are kept that nobody deletes, and the job that ends them. */
@NullMarked
package dev.inboxd.server.retention;

import org.jspecify.annotations.NullMarked;
