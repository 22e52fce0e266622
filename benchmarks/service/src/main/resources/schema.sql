create table article (id int primary key, title varchar(100), body varchar(1000));
