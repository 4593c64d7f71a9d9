/**
 * Moves an installation, or one organization, to another database while it runs. The rows are copied pass after pass;
 * for the last one nothing leaves and nothing is written. The source is marked as moved before the target goes live, so
 * that at no moment two copies send.
 */
@NullMarked
package dev.inboxd.move;

import org.jspecify.annotations.NullMarked;
