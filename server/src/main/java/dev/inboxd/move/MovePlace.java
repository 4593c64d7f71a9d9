package dev.inboxd.move;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;

/**
 * Where an installation is, or will be.
 *
 * @param location of its database
 * @param name of the database for people, without a password
 * @param blobs its store of large messages
 */
public record MovePlace(Database.Location location, String name, Blobs blobs) {}
