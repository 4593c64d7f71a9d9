/**
 * PostgreSQL: the pool, transactions, the organization's clock row, and views, without which no statement on a tenant
 * table runs. Only this package imports JDBC, HikariCP and Flyway.
 */
@NullMarked
package dev.inboxd.base.database;

import org.jspecify.annotations.NullMarked;
