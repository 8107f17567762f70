CREATE TABLE trip_$ (
  id BIGINT NOT NULL PRIMARY KEY,
  city TEXT,
  fare DOUBLE PRECISION NOT NULL,
  picked_up TIMESTAMP NOT NULL,
  notes TEXT
);
CREATE INDEX trips_by_city_$ ON trip_$ (city, picked_up);
INSERT INTO trip_$ (id, city, fare, picked_up, notes) VALUES (1, 'Berlin', 12.5, '2024-01-01 10:00:00', 'none'), (2, 'Paris', 8.25, '2024-01-01 10:05:00', NULL);
SELECT t.id, lower(trim(coalesce(t.city, 'unknown'))) AS city, t.fare * 1.2 AS fare
FROM trip_$ AS t
WHERE t.fare BETWEEN 1.0 AND 500.0 AND NOT t.city IN ('nowhere', 'void')
ORDER BY t.picked_up DESC
LIMIT 100;
SELECT t.city, count(t.id) AS trips, sum(t.fare) AS revenue, avg(t.fare) AS mean
FROM trip_$ AS t
INNER JOIN rates_$ AS r ON r.city = t.city
WHERE t.picked_up >= '2024-01-01 00:00:00' AND r.factor > 0
GROUP BY t.city
HAVING count(t.id) > 10;
SELECT t.id, CASE WHEN t.fare < 10.0 THEN 'low' WHEN t.fare < 50.0 THEN 'mid' ELSE 'high' END AS band,
  round(t.fare * r.factor + 2.5, 2) AS priced
FROM trip_$ AS t LEFT JOIN rates_$ AS r ON r.city = t.city AND r.valid_from <= t.picked_up
WHERE t.id IN (SELECT u.id FROM unique_$ AS u WHERE u.seen > 0);
UPDATE trip_$ SET fare = fare * 1.2, city = lower(city) WHERE id > 100 AND city = 'Berlin';
DELETE FROM trip_$ WHERE picked_up < '2023-01-01 00:00:00';
ALTER TABLE trip_$ ADD COLUMN tip DOUBLE PRECISION;
DROP TABLE unique_$;
