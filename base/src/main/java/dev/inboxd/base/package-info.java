/** The platform of all parts: where rows and bytes are kept, jobs, links, budgets, and what operators ask. */
@NullMarked
package dev.inboxd.base;

import org.jspecify.annotations.NullMarked;
