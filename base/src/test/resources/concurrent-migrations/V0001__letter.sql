create table letter (id int primary key, name text not null);
