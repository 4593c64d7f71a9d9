create table letter (id integer primary key);
